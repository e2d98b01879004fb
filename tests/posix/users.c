// Users and groups, from files of the program's own; sessions are not recorded.
//
// Result: correct.
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <grp.h>
#include <mntent.h>
#include <pwd.h>
#include <shadow.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utmp.h>
#include <utmpx.h>

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void passwords(void)
{
    struct passwd entry, *found;
    char text[256];
    write_file("/etc/passwd", "me:x:1000:1000:Me:/home/me:/bin/sh\n");
    assert((found = getpwnam("me")) && found->pw_uid == 1000);
    assert((found = getpwuid(1000)) && !strcmp(found->pw_name, "me"));
    assert(getpwnam_r("me", &entry, text, sizeof text, &found) == 0 && found == &entry);
    assert(getpwuid_r(1, &entry, text, sizeof text, &found) == 0 && !found);
    setpwent();
    assert(getpwent() && !getpwent());
    endpwent();
    FILE *file = fopen("/etc/passwd", "r+");
    assert((found = fgetpwent(file)) && !strcmp(found->pw_dir, "/home/me"));
    assert(putpwent(found, file) == 0);
    fclose(file);
}

static void groups(void)
{
    struct group entry, *found;
    gid_t list[4];
    int count = 4;
    char text[256];
    write_file("/etc/group", "all:x:7:me,you\n");
    assert((found = getgrnam("all")) && found->gr_gid == 7);
    assert((found = getgrgid(7)) && !strcmp(found->gr_mem[1], "you"));
    assert(getgrnam_r("all", &entry, text, sizeof text, &found) == 0 && found == &entry);
    assert(getgrgid_r(8, &entry, text, sizeof text, &found) == 0 && !found);
    setgrent();
    assert(getgrent() && !getgrent());
    endgrent();
    assert(getgrouplist("me", 1000, list, &count) == 2 && list[1] == 7);
    FILE *file = fopen("/etc/group", "r+");
    assert((found = fgetgrent(file)) && putgrent(found, file) == 0);
    fclose(file);
}

static void shadows(void)
{
    struct spwd entry, *found;
    char text[256];
    write_file("/etc/shadow", "me:!:1::::::\n");
    chmod("/etc/shadow", 0600);
    FILE *file = fopen("/etc/shadow", "r+");
    assert((found = fgetspent(file)) && !strcmp(found->sp_pwdp, "!"));
    assert(putspent(found, file) == 0);
    fclose(file);
    (void)getspnam("me");
    (void)getspnam_r("me", &entry, text, sizeof text, &found);
    setspent();
    (void)getspent();
    endspent();
    assert(lckpwdf() == 0 && ulckpwdf() == 0);
}

static void sessions(void)
{
    struct utmpx x = {0};
    struct utmp old = {0};
    setutxent();
    assert(!getutxent() && !getutxid(&x) && !getutxline(&x) && !pututxline(&x));
    updwtmpx("/tmp/wtmp", &x);
    utmpxname("/tmp/utmp");
    endutxent();
    setutent();
    assert(!getutent() && !getutid(&old) && !getutline(&old) && !pututline(&old));
    updwtmp("/tmp/wtmp", &old);
    utmpname("/tmp/utmp");
    endutent();
    setusershell();
    (void)getusershell();
    endusershell();
}

static void mounts(void)
{
    struct mntent entry = {"dev", "/mnt", "ext4", "ro", 0, 0}, *found;
    char text[128];
    FILE *file = setmntent("/tmp/mtab", "w+");
    assert(file && addmntent(file, &entry) == 0);
    rewind(file);
    assert((found = getmntent(file)) && !strcmp(found->mnt_dir, "/mnt"));
    assert(hasmntopt(found, "ro"));
    assert(!getmntent_r(file, &entry, text, sizeof text));
    endmntent(file);
}

int main(void)
{
    assert(mkdir("/etc", 0755) == 0);
    passwords();
    groups();
    shadows();
    sessions();
    mounts();
    return 0;
}
