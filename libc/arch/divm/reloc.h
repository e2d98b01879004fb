/* reloc.h - nothing is relocated: the loader links bitcode. */
#define LDSO_ARCH "divm"
