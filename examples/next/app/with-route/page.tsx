import { Fields } from '../parts';

export default function Page() {
  return (
    <>
      <h1>Create an account</h1>
      <form method="post" action="/api/signup">
        <Fields />
      </form>
    </>
  );
}
