/* io.h - no ports: x86_64's inb and outb are inline assembly. */
