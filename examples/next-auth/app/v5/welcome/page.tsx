import { Welcome } from '../../parts';
import { auth } from '../auth';

export default async function Page() {
  return <Welcome isSignedIn={(await auth()) !== null} />;
}
