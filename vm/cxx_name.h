/* cxx_name.h - names of C++ as programmers write them. */
#ifndef VM_CXX_NAME_H
#define VM_CXX_NAME_H

/* Shortens a name, which compilers write with all that the user need not: inline namespaces of
 * libc++, namespaces without a name, template arguments that are the defaults of the standard's
 * templates (also where another template is given them); and std::string is called so. */
void vm_cxx_name_shorten(char *name);

#endif
