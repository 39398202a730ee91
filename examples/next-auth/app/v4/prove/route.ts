/** The way to the proof of work. The cookie was set by `signIn`; it is not signed, so it leads to Gatehouse alone. */
import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';

export async function GET(): Promise<never> {
  const page = (await cookies()).get('proof_page')?.value ?? '';
  // Origin at which visitors reach Gatehouse.
  const { origin } = new URL(process.env.GATEHOUSE_PUBLIC_URL ?? process.env.GATEHOUSE_URL ?? '');
  redirect(page.startsWith(`${origin}/`) ? page : '/error');
}
