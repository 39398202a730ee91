/** The way to the proof of work. The cookie was set by `signIn`. */
import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';

export async function GET(): Promise<never> {
  redirect((await cookies()).get('proof_page')?.value ?? '/error');
}
