import { Confirm } from '../parts';

export default function Page() {
  return <Confirm />;
}
