export default async function Page({ searchParams }: { searchParams: Promise<{ reference?: string }> }) {
  const { reference = '–' } = await searchParams;
  return (
    <>
      <h1>We cannot create this account</h1>
      <p>If you think that this is a mistake, write to our support.</p>
      <p>
        Reference: <code>{reference}</code>
      </p>
    </>
  );
}
