/** The pages of the signup. A refusal shows the form again, or says that the account cannot be created. */
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { Response } from 'express';

@Catch(HttpException)
export class Pages implements ExceptionFilter {
  catch(error: HttpException, host: ArgumentsHost) {
    const response = host.switchToHttp().getResponse<Response>();
    const { reference } = error.getResponse() as { reference?: string };
    const isBlocked = error.getStatus() === 403;
    response.status(error.getStatus()).send(isBlocked ? Pages.blocked(reference) : Pages.form(error.message));
  }

  static form(problem = '') {
    return page(
      'Create an account',
      `<p role="alert">${problem}</p>
      <form method="post" action="/signup">
        <label for="email">Email</label>
        <input id="email" name="email" type="email" autocomplete="email" required>
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="new-password" required>
        <button>Sign up</button>
      </form>`,
    );
  }

  static welcome() {
    return page('Welcome', '<p>Your account is ready.</p>');
  }

  /** @param reference helps your support to find the signup in the dashboard */
  static blocked(reference = '–') {
    return page(
      'We cannot create this account',
      `<p>If you think that this is a mistake, write to our support.</p>
      <p>Reference: <code>${reference}</code></p>`,
    );
  }
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width">
  <link rel="icon" href="data:,">
  <title>${title}</title>
  <style>
    :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
    main { max-width: 22rem; margin: 4rem auto; padding: 0 1rem }
    label, input, button { display: block; width: 100%; box-sizing: border-box; font: inherit }
    input { margin-bottom: 1rem; padding: .5rem }
    button { padding: .5rem }
  </style>
  <main>
    <h1>${title}</h1>
    ${content}
  </main>
</html>`;
}
