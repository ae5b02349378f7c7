/* Under valgrind: keys are undefined memory, and whatever looks at one may not branch on it. What a
 * function returns is public. */
#include <cipherloom/des.h>
#include <stdio.h>
#include <string.h>
#include <valgrind/memcheck.h>

static int checks, failures;

static int public(int result)
{
    (void)VALGRIND_MAKE_MEM_DEFINED(&result, sizeof result);
    return result;
}

static void check(const char *key_bytes, int is_weak, int has_parity)
{
    cl_DES_cblock key;
    cl_DES_key_schedule schedule;
    memcpy(key, key_bytes, 8);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(key, 8);
    int fault = has_parity ? is_weak ? -2 : 0 : -1;
    int wrong = public(cl_DES_is_weak_key(&key)) != (is_weak && has_parity);
    wrong |= public(cl_DES_check_key_parity(&key)) != has_parity;
    wrong |= public(cl_DES_set_key(&key, &schedule)) != fault;
    wrong |= public(cl_DES_key_sched(&key, &schedule)) != fault;
    cl_DES_set_key_unchecked(&key, &schedule);
    cl_DES_set_odd_parity(&key);
    wrong |= public(cl_DES_check_key_parity(&key)) != 1;
    checks++, failures += wrong;
}

int main(int argc, char **argv)
{
    check("\1\1\1\1\1\1\1\1", 1, 1);
    check("\1\1\1\1\1\1\1\0", 1, 0);
    check("\xfe\xe0\xfe\xe0\xfe\xf1\xfe\xf1", 1, 1);
    check("\1\x23\x45\x67\x89\xab\xcd\xef", 0, 1);
    check("\0\x23\x45\x67\x89\xab\xcd\xef", 0, 0);
    check("\1\x23\x45\x67\x89\xab\xcd\xee", 0, 0);
    if (argc > 1) {
        char byte = argv[1][0];
        (void)VALGRIND_MAKE_MEM_UNDEFINED(&byte, 1);
        if (byte == 'b') puts("found out");
    }
    printf("%d keys, %d wrong\n", checks, failures);
    return failures != 0;
}
