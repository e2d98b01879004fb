/* cpu_model.c - the variable that __builtin_cpu_supports and __builtin_cpu_is read: a processor
 * of no known make, without any of the features that they can ask for. */
struct {
    unsigned vendor, type, subtype, features[1];
} __cpu_model;
unsigned __cpu_features2[3];

void __cpu_indicator_init(void)
{
}
