/** Recall: signups that were let in, and would not come in with what is known now. */

/**
 * Cause of another verdict, named by what came to be known: an entry of the account's Block list · a feed or another source ·
 * an open wave · a label that was withdrawn · other weights or thresholds · anything else.
 */
export const RECALL_CAUSES = ['list', 'feed', 'campaign', 'label', 'policy', 'other'] as const;
export type RecallCause = (typeof RECALL_CAUSES)[number];
