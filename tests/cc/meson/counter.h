/* A counter that threads share. */
#ifdef __cplusplus
extern "C" {
#endif
void counter_add(int n);
int counter_value(void);
#ifdef __cplusplus
}
#endif
