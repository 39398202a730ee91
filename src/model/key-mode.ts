/** Whether a key asks about real signups, or about test addresses in the sandbox. */
export type KeyMode = 'live' | 'test';
