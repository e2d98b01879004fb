#ifndef TOTAL_H
#define TOTAL_H
#ifdef __cplusplus
extern "C"
#endif
    int
    total(const int *numbers, int n);
#endif
