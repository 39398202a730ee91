import { Fields } from '../parts';

export default async function Page({ searchParams }: { searchParams: Promise<{ problem?: string }> }) {
  const { problem } = await searchParams;
  return (
    <>
      <h1>Create an account</h1>
      <form method="post" action="/api/signup">
        <Fields problem={problem} />
      </form>
    </>
  );
}
