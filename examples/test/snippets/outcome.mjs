// Reads signups from standard input, a line of JSON each, and writes the snippet's outcome for each.
import { createInterface } from 'node:readline';

/** @param {(signup: { email: string, ip: string }) => Promise<{ denied: string | null, marked: boolean }>} signUp */
export async function answerSignups(signUp) {
  for await (const line of createInterface({ input: process.stdin }))
    console.log(`outcome ${JSON.stringify(await signUp(JSON.parse(line)))}`);
}
