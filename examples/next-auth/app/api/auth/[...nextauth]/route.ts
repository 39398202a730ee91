import NextAuth from 'next-auth-4';
import { authOptions } from '../../../v4/options';

const handler = NextAuth(authOptions);

export { handler as GET, handler as POST };
