/** Names the CAPTCHA providers that the settings have a secret for. */
import type { Captcha } from '../../contract/messages.ts';
import type { CaptchaProvider } from './captcha.ts';

/** Settings of all providers; `null`: none. */
export interface CaptchaSettings {
  readonly turnstileSecret: string | null;
  readonly turnstileUrl: string;
  readonly hcaptchaSecret: string | null;
  readonly hcaptchaUrl: string;
  readonly recaptchaSecret: string | null;
  readonly recaptchaUrl: string;
  /** 0 … 1 */
  readonly recaptchaMinScore: number;
}

export function captchaProviders(config: CaptchaSettings): Partial<Record<Captcha, CaptchaProvider>> {
  const { turnstileSecret, hcaptchaSecret, recaptchaSecret, recaptchaMinScore: minScore } = config;
  return {
    ...(turnstileSecret !== null && { turnstile: { url: config.turnstileUrl, secret: turnstileSecret } }),
    ...(hcaptchaSecret !== null && { hcaptcha: { url: config.hcaptchaUrl, secret: hcaptchaSecret } }),
    ...(recaptchaSecret !== null && {
      recaptcha: { url: config.recaptchaUrl, secret: recaptchaSecret, minScore },
    }),
  };
}
