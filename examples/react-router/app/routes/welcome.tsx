export default function Welcome() {
  return (
    <>
      <h1>Welcome</h1>
      <p>Your account is ready.</p>
    </>
  );
}
