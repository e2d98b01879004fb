#include "total.h"

int total(const int *numbers, int n)
{
    int sum = 0;
    for (int k = 0; k < n; k++)
        sum += numbers[k];
    return sum;
}
