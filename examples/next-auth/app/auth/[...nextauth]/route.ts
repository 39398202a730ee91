import { handlers } from '../../v5/auth';

export const { GET, POST } = handlers;
