// Floating point: N x N matrices multiplied ROUNDS times.  Result: correct.
// A kernel for the speed of instructions: divm run against native code.
#include <stdio.h>

#ifndef N
#define N 64
#endif
#ifndef ROUNDS
#define ROUNDS 40
#endif

static void fill(double *m, double seed)
{
    for (int k = 0; k < N * N; k++)
        m[k] = (seed = seed * 1.37 - (int)(seed * 1.37)) - 0.5;
}

static void multiply(double *c, const double *a, const double *b)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++)
                sum += a[i * N + k] * b[k * N + j];
            c[i * N + j] = sum;
        }
}

int main(void)
{
    static double a[N * N], b[N * N], c[N * N];
    double trace = 0;
    fill(a, 0.7);
    fill(b, 0.3);
    for (int r = 0; r < ROUNDS; r++) {
        multiply(c, a, b);
        a[r] = c[r] / N;
        trace += c[r * N % (N * N)];
    }
    printf("%.9f\n", trace);
    return 0;
}
