/** Every message of the public API: one schema gives its type, its validation, its serialisation and its place in OpenAPI. */
import { type Static, Type } from 'typebox';
import { MX_STATUSES } from '../model/evidence.ts';
import { MAX_OUTCOMES, SIGNUP_OUTCOMES } from '../model/outcome.ts';
import { BROUGHT_BY, IP_STATUSES } from '../model/signup-attempt.ts';
import { PROBLEMS, type ProblemCode } from './problem.ts';
import { REASON_CODES, SIGNAL_GROUPS } from './reasons.ts';

const text = (description: string) => Type.String({ description });
const flag = (description: string) => Type.Boolean({ description });
const count = (description: string) => Type.Integer({ minimum: 0, description });
const instant = (description: string) => Type.String({ format: 'date-time', description });
const oneOf = <const T extends string>(values: readonly T[], description?: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], ...(description !== undefined && { description }) });

export const VERDICTS = ['allow', 'challenge', 'block'] as const;
export const OUTCOMES = ['false_positive', 'false_negative'] as const;
const CHALLENGE_RESULTS = ['passed', 'failed'] as const;
export const CAPTCHAS = ['turnstile', 'hcaptcha', 'recaptcha'] as const;
const CHALLENGE_METHODS = ['application', 'altcha', ...CAPTCHAS, 'link', 'code'] as const;
export const PLAN_NAMES = ['free', 'starter', 'pro', 'business'] as const;

export const AssessmentRequest = Type.Object(
  {
    email: text(
      'The address that signs up: at most 254 octets, local@domain.tld. Normalised to NFC, trimmed (invisible characters too) and lower-cased; an international domain is carried in its ASCII form.',
    ),
    ip: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description:
          'IPv4 or IPv6 address of the end user, collected by your server. Without a usable public address only email and domain are scored.',
      }),
    ),
    session_id: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'Your own session or request id. Stored, and echoed verbatim.',
      }),
    ),
    brought_by: Type.Optional(
      Type.Union([oneOf(BROUGHT_BY), Type.Null()], {
        description:
          'Who brings the person: `admin` (created by an administrator), `member` (invited by a member) or `directory` (SCIM, directory sync). Absent or null: the person signs up alone. Set it only from what your backend knows, never from the visitor’s form.',
      }),
    ),
  },
  { title: 'AssessmentRequest', description: 'Unknown members are ignored.' },
);

export const Reason = Type.Object(
  {
    code: oneOf(REASON_CODES, 'The finding that contributed to the score.'),
    signal: oneOf(SIGNAL_GROUPS, 'The group of signals it belongs to.'),
  },
  { title: 'Reason' },
);

export const EmailSignals = Type.Object(
  {
    disposable: flag(
      'Domain is on the disposable-domain blocklist, or its mail goes to a mail host of such domains.',
    ),
    relay_domain: flag('Domain is a known relay or forwarding provider.'),
    spam_domain: flag('Domain has spam or abuse reputation.'),
    domain: text('Domain part of the email, lower-cased, in ASCII form.'),
    domain_age_days: Type.Integer({
      minimum: -1,
      description: 'Whole days (UTC) since the registrable domain was registered; -1 when unknown.',
    }),
    mx_valid: flag('The domain has a usable MX, or DNS could not be asked (see mx_status).'),
    mx_status: oneOf(
      MX_STATUSES,
      'Result of the DNS lookup for the domain; `unknown` when DNS could not be asked.',
    ),
    public_domain: flag('Domain is a free consumer provider.'),
    role_account: flag('Local part is a known role account.'),
    did_you_mean: Type.Optional(
      text(
        'The address that was probably meant; present only where the domain is a likely typing mistake of a large provider.',
      ),
    ),
    mail_unwanted: Type.Optional(
      flag(
        'True, or absent: a mail to the address would reach somebody who probably did not sign up, such as the owner of a phone or the victim of a list bombing. Send none before a proof that needs no mail, such as a CAPTCHA. Absent in shadow mode.',
      ),
    ),
  },
  { title: 'EmailSignals' },
);

export const IpSignals = Type.Object(
  {
    address: text('The public IP used for scoring, in canonical form (RFC 5952 for IPv6).'),
    tor: flag('Known Tor exit node.'),
    vpn: flag('Known VPN endpoint.'),
    proxy: flag('Known anonymous proxy.'),
    relay: flag('Known privacy relay egress, distinct from VPN and proxy.'),
    datacenter: flag('Datacenter or hosting ASN.'),
    abuse_score: Type.Integer({ minimum: 0, maximum: 100, description: 'Abuse reputation, 0 to 100.' }),
    country_code: text('ISO 3166-1 alpha-2 code; empty when unknown.'),
    country: text('English country name; empty when unknown.'),
    asn: Type.String({ pattern: '^AS[0-9]+$', description: '`AS` and the number; `AS0` when unknown.' }),
  },
  { title: 'IpSignals' },
);

export const VelocitySignals = Type.Object(
  {
    ip_signups_1h: count('Attempts from this IP (IPv6: its /64) in the last 60 minutes, this one included.'),
    ip_signups_24h: count('Attempts from this IP (IPv6: its /64) in the last 24 hours, this one included.'),
    email_domain_1h: count('Distinct addresses of this domain in the last 60 minutes, this one included.'),
    email_domain_24h: count('Distinct addresses of this domain in the last 24 hours, this one included.'),
  },
  { title: 'VelocitySignals' },
);

export const Signals = Type.Object(
  { email: EmailSignals, ip: Type.Optional(IpSignals), velocity: VelocitySignals },
  { title: 'Signals', description: '`ip` is present only when ip_provided is true. Members may be added.' },
);

export const ChallengeOffer = Type.Object(
  {
    token: text('Redeem it with `POST /v1/challenges` once the visitor has passed or failed your check.'),
    expires_at: instant('Until when it can be redeemed, UTC.'),
  },
  {
    title: 'ChallengeOffer',
    description:
      'Present only with the verdict `challenge`, where the service is set to give tokens. For your server: never send it to the visitor.',
  },
);

export const Assessment = Type.Object(
  {
    request_id: Type.String({ pattern: '^req_', description: 'Id of the stored assessment.' }),
    session_id: Type.Optional(text('Echo of the request; absent when the request had none.')),
    verdict: oneOf(VERDICTS, 'The score measured against the thresholds of the key or its account.'),
    shadow_verdict: Type.Optional(
      oneOf(
        VERDICTS,
        'Present only where the key is in shadow mode, and does not enforce for this person: what the verdict would be. `verdict` is `allow` then, `score` 0, `reasons` empty, and `signals` are those of a signup about which nothing is known.',
      ),
    ),
    score: Type.Integer({ minimum: 0, maximum: 100, description: 'Risk, 0 to 100; higher is riskier.' }),
    reasons: Type.Array(Reason, {
      description: 'Findings that contributed, heaviest first; empty on a clean signal.',
    }),
    signals: Signals,
    ip_provided: flag('True when a usable public IP was used for scoring.'),
    ip_status: oneOf(IP_STATUSES, 'How the supplied IP was treated.'),
    processed_ms: count('Server-side processing time in milliseconds.'),
    assessed_at: instant('When the assessment was produced, UTC.'),
    challenge: Type.Optional(ChallengeOffer),
  },
  { title: 'Assessment' },
);

export const FeedbackRequest = Type.Object(
  {
    request_id: text('Id of a stored assessment.'),
    outcome: oneOf(
      OUTCOMES,
      'false_positive: a legitimate signup was stopped; false_negative: a fraud came in.',
    ),
    note: Type.Optional(
      Type.Union([Type.String(), Type.Null()], { description: 'Free-form context, stored verbatim.' }),
    ),
  },
  { title: 'FeedbackRequest', description: 'One record per assessment: a second one replaces the first.' },
);

export const FeedbackResponse = Type.Object(
  { accepted: flag('Always true: the feedback is stored.'), message: text('A sentence for people.') },
  { title: 'FeedbackResponse' },
);

const outcomeMembers = {
  request_id: Type.Optional(text('Id of a stored assessment. Send it or `email`.')),
  email: Type.Optional(
    text(
      'The address that signed up, instead of `request_id`: the outcome is noted for its ten newest signups of the last 90 days. It is compared by keyed hash, and not stored.',
    ),
  ),
};
const outcomeWord = oneOf(
  SIGNUP_OUTCOMES,
  'verified: the person confirmed the address; never_verified: nobody did, in the time that you wait; bounced: a mail could not be delivered for good; complained: a mail was reported as spam; paid: the person paid; banned: you closed the account for abuse.',
);

export const OutcomeItem = Type.Object({ ...outcomeMembers, outcome: outcomeWord }, { title: 'OutcomeItem' });

export const OutcomeRequest = Type.Object(
  {
    ...outcomeMembers,
    outcome: Type.Optional(outcomeWord),
    outcomes: Type.Optional(
      Type.Array(OutcomeItem, {
        minItems: 1,
        maxItems: MAX_OUTCOMES,
        description: `Instead of the other members: up to ${MAX_OUTCOMES} outcomes at once. They are stored together, or none of them.`,
      }),
    ),
  },
  {
    title: 'OutcomeRequest',
    description:
      'One outcome, or several in `outcomes`. The same outcome of the same signup is noted once, however often it is sent; a signup may have several.',
  },
);

export const OutcomeResponse = Type.Object(
  {
    accepted: flag('Always true: what was found is stored.'),
    signups: count('Signups that the outcomes were noted for, those that had the outcome before included.'),
    unmatched: Type.Array(Type.Integer({ minimum: 0 }), {
      description:
        'Places, from 0, of outcomes that belong to no stored signup: nothing is noted for them. For a single outcome by address, 0.',
    }),
    message: text('A sentence for people.'),
  },
  { title: 'OutcomeResponse' },
);

const captchaResponse = (provider: string) =>
  Type.String({
    minLength: 1,
    maxLength: 8_192,
    description: `The response of the ${provider} widget, to be verified.`,
  });

const returnUrl = (more = '') =>
  Type.String({
    maxLength: 2_048,
    description:
      `The page where the visitor continues after confirming: an http or https URL of your application. ${more}`.trimEnd(),
  });

export const ChallengeRequest = Type.Object(
  {
    token: text('`challenge.token` of an assessment of your account, or its `request_id`.'),
    outcome: Type.Optional(oneOf(CHALLENGE_RESULTS, 'What your own check found.')),
    proof: Type.Optional(
      Type.Object(
        {
          return_url: Type.Optional(
            returnUrl('The answer then has a page of Gatehouse where the visitor solves it.'),
          ),
        },
        { title: 'ProofRequest', description: 'Makes a proof of work that the visitor’s browser solves.' },
      ),
    ),
    altcha: Type.Optional(captchaResponse('ALTCHA')),
    turnstile: Type.Optional(captchaResponse('Cloudflare Turnstile')),
    hcaptcha: Type.Optional(captchaResponse('hCaptcha')),
    recaptcha: Type.Optional(captchaResponse('reCAPTCHA')),
    confirm: Type.Optional(
      Type.Object(
        {
          return_url: Type.Optional(returnUrl()),
        },
        {
          title: 'ConfirmRequest',
          description:
            'Makes a link and a code that you send to the address of the signup. Each request counts as a mail: after three for a challenge, six within an hour or twelve within a day for a mailbox, it gets `challenge_mails_used` or `challenge_mailbox_full`.',
        },
      ),
    ),
    code: Type.Optional(
      Type.String({ maxLength: 20, description: 'The code that the visitor entered at your page.' }),
    ),
    ip: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'The visitor’s IP address, for the provider of the CAPTCHA.',
      }),
    ),
  },
  {
    title: 'ChallengeRequest',
    description:
      'With one of `outcome`, `proof`, `altcha`, `turnstile`, `hcaptcha`, `recaptcha`, `confirm` and `code`. With the token alone, nothing changes: the answer has the current result of the challenge.',
  },
);

export const ChallengeConfirmation = Type.Object(
  {
    link: text('Send it by mail only: opening it and pressing the button confirms the address.'),
    code: text('For the mail only: six digits.'),
    page: text('For the visitor: a page that asks for the code.'),
  },
  { title: 'ChallengeConfirmation', description: 'Always the same for one challenge.' },
);

export const ChallengeProof = Type.Object(
  {
    challenge: text(
      'For your page: JSON, the value of the attribute `challenge` of an ALTCHA widget of version 3.',
    ),
    page: Type.Optional(
      text('For the visitor: a page that solves it. Only where the request has a `return_url`.'),
    ),
  },
  { title: 'ChallengeProof', description: 'With one of the two, the visitor’s browser solves it.' },
);

export const ChallengeResponse = Type.Object(
  {
    request_id: text('Id of the assessment.'),
    status: oneOf(
      ['pending', ...CHALLENGE_RESULTS, 'unknown'],
      '`pending`: it can still be redeemed. `unknown`: the provider of the CAPTCHA gave no verdict; nothing was stored, and you decide.',
    ),
    method: Type.Optional(oneOf(CHALLENGE_METHODS, 'How the result was found; absent while it is pending.')),
    redeemed_at: Type.Optional(instant('When the result was stored, UTC; absent while it is pending.')),
    expires_at: instant('Until when the challenge can be redeemed, UTC.'),
    confirmation: Type.Optional(ChallengeConfirmation),
    proof: Type.Optional(ChallengeProof),
    detail: Type.Optional(text('Why a response to a CAPTCHA gave no result, for people.')),
  },
  { title: 'ChallengeResponse' },
);

export const AppealRequest = Type.Object(
  {
    request_id: text('Id of an assessment that was answered with `challenge` or `block`.'),
    valid_days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 30, description: 'Days that the link is valid; 7 by default.' }),
    ),
  },
  { title: 'AppealRequest' },
);

export const AppealResponse = Type.Object(
  {
    url: text('Show it to the person who was stopped. It has no address in it and says nothing about why.'),
    expires_at: instant('Until when the link is valid, UTC.'),
  },
  { title: 'AppealResponse' },
);

export const Usage = Type.Object(
  {
    plan: oneOf(PLAN_NAMES, 'Plan of the account.'),
    period_start: instant('Start of the current UTC month.'),
    period_end: instant('Last second of the current UTC month.'),
    assessments_used: count('Live assessments deducted this period.'),
    assessments_limit: count('Monthly cap of the account.'),
    overage_rate_per_1k: Type.Number({ minimum: 0, description: 'USD per 1,000 assessments above the cap.' }),
    reset_at: instant('Start of the next UTC month.'),
  },
  { title: 'Usage' },
);

export const ErrorEnvelope = Type.Object(
  {
    error: Type.Object({
      code: oneOf(Object.keys(PROBLEMS) as ProblemCode[], 'Machine-readable code.'),
      message: text('Human-readable message.'),
      param: Type.Optional(text('The parameter at fault.')),
      resolution: text('What to do about it.'),
    }),
  },
  { title: 'ErrorEnvelope' },
);

export type AssessmentRequest = Static<typeof AssessmentRequest>;
export type Assessment = Static<typeof Assessment>;
export type Reason = Static<typeof Reason>;
export type Signals = Static<typeof Signals>;
export type FeedbackRequest = Static<typeof FeedbackRequest>;
export type FeedbackResponse = Static<typeof FeedbackResponse>;
export type OutcomeItem = Static<typeof OutcomeItem>;
export type OutcomeRequest = Static<typeof OutcomeRequest>;
export type OutcomeResponse = Static<typeof OutcomeResponse>;
export type AppealRequest = Static<typeof AppealRequest>;
export type AppealResponse = Static<typeof AppealResponse>;
export type ChallengeRequest = Static<typeof ChallengeRequest>;
export type ChallengeResponse = Static<typeof ChallengeResponse>;
export type ChallengeConfirmation = Static<typeof ChallengeConfirmation>;
export type ChallengeResult = (typeof CHALLENGE_RESULTS)[number];
export type Captcha = (typeof CAPTCHAS)[number];
export type ChallengeMethod = (typeof CHALLENGE_METHODS)[number];
export type Usage = Static<typeof Usage>;
export type Verdict = (typeof VERDICTS)[number];
export type PlanName = (typeof PLAN_NAMES)[number];
