/* crt_arch.h - no start-up code in assembly: the kernel calls __libc_main. */
