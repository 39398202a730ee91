import { getServerSession } from 'next-auth-4';
import { Welcome } from '../../parts';
import { authOptions } from '../options';

export default async function Page() {
  return <Welcome isSignedIn={(await getServerSession(authOptions)) !== null} />;
}
