/** Decides how an attempt lies in memory: one record of 76 bytes, with the fingerprints of its keys, the counts it holds for them, and the earlier attempts that share them. */

/** The words of an attempt's record, 32 bits each. */
export const TIME = 0;
/** The next attempt of the account. */
export const NEXT = 1;
export const SERIAL = 2;
/** 0, or any of the flags below together. */
export const FLAGS = 3;
export const UNDONE = 1;
export const WITHOUT_NETWORK = 2;
/** It was answered with `block`. */
export const BLOCKED = 4;
/** Its address has a name as people have them. */
export const NAMED = 8;

/** Kinds of keys that are counted; each has three words. */
export const ADDRESS = 0;
export const DOMAIN = 1;
export const MAILBOX = 2;
export const NETWORK = 3;
export const KINDS = 4;

const KEYS = 4;
const WORDS_PER_KEY = 3;

/** Kinds but `ADDRESS`: who is behind the counts of a burst is found along these. */
const LINKED_KINDS = KINDS - 1;
const LINKS = KEYS + KINDS * WORDS_PER_KEY;

/** Numbers of 32 bits in a record. */
export const RECORD_WORDS = LINKS + LINKED_KINDS;

/** The two halves of a key's fingerprint. */
export const lowOf = (kind: number): number => KEYS + kind * WORDS_PER_KEY;
export const highOf = (kind: number): number => KEYS + kind * WORDS_PER_KEY + 1;
/** The counts of the key; 0 unless this attempt holds them. */
export const countsOf = (kind: number): number => KEYS + kind * WORDS_PER_KEY + 2;
/** The record of the attempt before with the same domain, mailbox or network, plus one; 0 where there is none. It may be gone. */
export const previousOf = (kind: number): number => LINKS + kind - DOMAIN;
