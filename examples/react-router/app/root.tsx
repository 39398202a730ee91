import { Links, Meta, Outlet } from 'react-router';
import style from './style.css?url';

export const links = () => [
  { rel: 'stylesheet', href: style },
  { rel: 'icon', href: 'data:,' },
];
export const meta = () => [{ title: 'Create an account' }];

export default function Root() {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <Meta />
        <Links />
      </head>
      <body>
        <main>
          <Outlet />
        </main>
      </body>
    </html>
  );
}
