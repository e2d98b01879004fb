/* room_test.c - what is left by the machine and by control groups of both versions, which are
 * files in a folder of the test's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "checker/search/room.h"

static char root[] = "/tmp/divm-room-XXXXXX";

static void put(const char *path, const char *text)
{
    char file[512];
    snprintf(file, sizeof file, "%s%s", root, path);
    for (char *slash = strchr(file + strlen(root) + 1, '/'); slash;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(file, 0777);
        *slash = '/';
    }
    FILE *out = fopen(file, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static int make_root(void **state)
{
    (void)state;
    return mkdtemp(root) ? 0 : -1;
}

static int remove_root(void **state)
{
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", root);
    return system(command);
}

static void test_nothing_known(void **state)
{
    (void)state;
    assert_true(room_left(root) == ROOM_UNKNOWN); /* there is no limit of address space here */
}

static void test_machine(void **state)
{
    (void)state;
    put("/proc/meminfo", "MemTotal:       8000000 kB\nMemFree:   100 kB\n"
                         "MemAvailable:   3000000 kB\n");
    assert_int_equal(room_left(root), 3000000ull * 1024);
}

static void test_version_two(void **state)
{
    (void)state;
    put("/proc/self/cgroup", "0::/a/b\n");
    put("/sys/fs/cgroup/a/b/memory.max", "max\n");
    put("/sys/fs/cgroup/a/b/memory.current", "500\n");
    assert_int_equal(room_left(root), 3000000ull * 1024);
    put("/sys/fs/cgroup/a/memory.max", "300000000\n");
    put("/sys/fs/cgroup/a/memory.current", "120000000\n");
    put("/sys/fs/cgroup/a/memory.stat",
        "anon 70000000\ninactive_file 20000000\nactive_file 30000000\n");
    assert_int_equal(room_left(root), 300000000 - 70000000);
    put("/sys/fs/cgroup/a/b/memory.max", "1000\n");
    assert_int_equal(room_left(root), 500);
    put("/sys/fs/cgroup/a/b/memory.current", "2000\n"); /* it may be a little more */
    assert_int_equal(room_left(root), 0);
}

/* A container's own group is the first one that it sees. */
static void test_container(void **state)
{
    (void)state;
    put("/proc/self/cgroup", "0::/\n");
    put("/sys/fs/cgroup/memory.max", "700000\n");
    put("/sys/fs/cgroup/memory.current", "200000\n");
    assert_int_equal(room_left(root), 500000);
}

static void test_version_one(void **state)
{
    (void)state;
    put("/proc/self/cgroup", "7:cpu,cpuacct:/other\n5:memory:/x/y\n1:name=systemd:/z\n");
    put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    put("/sys/fs/cgroup/memory/memory.usage_in_bytes", "4000000\n");
    put("/sys/fs/cgroup/memory/x/y/memory.limit_in_bytes", "300000000\n");
    put("/sys/fs/cgroup/memory/x/y/memory.usage_in_bytes", "100000000\n");
    put("/sys/fs/cgroup/memory/x/y/memory.stat",
        "inactive_file 1\ntotal_inactive_file 10000000\ntotal_active_file 0\n");
    assert_int_equal(room_left(root), 210000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_known), cmocka_unit_test(test_machine),
        cmocka_unit_test(test_version_two),   cmocka_unit_test(test_container),
        cmocka_unit_test(test_version_one),
    };
    return cmocka_run_group_tests(tests, make_root, remove_root);
}
