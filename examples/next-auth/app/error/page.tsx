export default function Page() {
  return (
    <>
      <h1>This did not work</h1>
      <p>Please sign up again.</p>
    </>
  );
}
