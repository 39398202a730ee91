import { Blocked } from '../parts';

export default async function Page({ searchParams }: { searchParams: Promise<{ reference?: string }> }) {
  const { reference } = await searchParams;
  return <Blocked reference={reference} />;
}
