/* RC4 as textbooks write it, in every way in which `cargo xtask rc4` compiles it. */
#ifndef TEXTBOOK_H
#define TEXTBOOK_H

struct textbook {
    unsigned char s[256];
    unsigned i, j;
};

/* Name, and what is printed. */
#define TEXTBOOKS(X)                                                                               \
    X(textbook_O0, "C, -O0")                                                                       \
    X(textbook_O0_omit, "C, -O0 -fomit-frame-pointer")                                             \
    X(textbook_O1, "C, -O1")                                                                       \
    X(textbook_O1_omit, "C, -O1 -fomit-frame-pointer")                                             \
    X(textbook_O2, "C, -O2")                                                                       \
    X(textbook_O2_omit, "C, -O2 -fomit-frame-pointer")                                             \
    X(textbook_O3, "C, -O3")                                                                       \
    X(textbook_O3_omit, "C, -O3 -fomit-frame-pointer")

#define DECLARE(name, doc)                                                                         \
    void name##_key(struct textbook *state, const unsigned char *key, int length);                 \
    void name##_crypt(struct textbook *state, unsigned char *data, int length);
TEXTBOOKS(DECLARE)
#undef DECLARE

#endif
