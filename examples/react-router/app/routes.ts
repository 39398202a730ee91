import { index, type RouteConfig, route } from '@react-router/dev/routes';

export default [
  index('routes/signup.tsx'),
  route('proved', 'routes/proved.tsx'),
  route('welcome', 'routes/welcome.tsx'),
] satisfies RouteConfig;
