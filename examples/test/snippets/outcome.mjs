// Reads signups from the standard input, one line of JSON each, and writes what the snippet made of each.
import { createInterface } from 'node:readline';

/** @param {(signup: { email: string, ip: string }) => Promise<{ denied: string | null, marked: boolean }>} signUp */
export async function answerSignups(signUp) {
  for await (const line of createInterface({ input: process.stdin }))
    console.log(`outcome ${JSON.stringify(await signUp(JSON.parse(line)))}`);
}
