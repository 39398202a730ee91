/** Types of audit.mjs, for the tests. */
export function judgeAudit(folder: string, output: string): { failed: boolean; line: string };
