export default function Page() {
  return (
    <>
      <h1>Confirm your address</h1>
      <p>We have sent you a link. Your account is ready when you open it.</p>
    </>
  );
}
