/** The messages of the API as plain types. A type test in the repository keeps them equal to the service's own schemas. */

export type Verdict = 'allow' | 'challenge' | 'block';
export type Outcome = 'false_positive' | 'false_negative';
export type PlanName = 'free' | 'starter' | 'pro' | 'business';
export type IpStatus = 'ok' | 'missing' | 'ignored_loopback' | 'ignored_private' | 'ignored_localhost';
export type MxStatus = 'valid' | 'none' | 'null_mx' | 'no_domain' | 'unknown';
export type SignalGroup = 'email' | 'ip' | 'velocity';
export type ReasonCode =
  | 'email_disposable'
  | 'email_relay'
  | 'email_reputation'
  | 'email_deliverability'
  | 'email_domain_new'
  | 'email_role_account'
  | 'email_alias'
  | 'email_consumer_provider'
  | 'ip_anonymizer'
  | 'ip_reputation'
  | 'ip_hosting'
  | 'velocity_ip'
  | 'velocity_domain';

/** `admin`: an administrator creates the account; `member`: a member invites; `directory`: SCIM or directory sync. */
export type BroughtBy = 'admin' | 'member' | 'directory';

/** Body of `POST /v1/assess`. */
export interface AssessmentRequest {
  /** The address that signs up, at most 254 octets. */
  readonly email: string;
  /** IPv4 or IPv6 address of the end user, as your server sees it. Without one only the email is scored. */
  readonly ip?: string | null | undefined;
  /** Your own session or request id: stored, and returned unchanged. */
  readonly session_id?: string | null | undefined;
  /** Party that brings the person. Only from what your backend knows, never from the visitor's form. */
  readonly brought_by?: BroughtBy | null | undefined;
}

export interface Reason {
  readonly code: ReasonCode;
  readonly signal: SignalGroup;
}

export interface EmailSignals {
  readonly disposable: boolean;
  readonly relay_domain: boolean;
  readonly spam_domain: boolean;
  /** Lower-cased, in ASCII form. */
  readonly domain: string;
  /** Whole days since the registrable domain was registered; -1 when unknown. */
  readonly domain_age_days: number;
  /** Also true when DNS could not be asked: see `mx_status`. */
  readonly mx_valid: boolean;
  readonly mx_status: MxStatus;
  /** Free mail: Gmail, Outlook and their like. */
  readonly public_domain: boolean;
  readonly role_account: boolean;
  /** The address that was probably meant; only for a likely typing mistake. */
  readonly did_you_mean?: string;
  /** A mail would reach somebody who probably did not sign up: send none before a proof that needs no mail. */
  readonly mail_unwanted?: boolean;
}

export interface IpSignals {
  readonly address: string;
  readonly tor: boolean;
  readonly vpn: boolean;
  readonly proxy: boolean;
  readonly relay: boolean;
  readonly datacenter: boolean;
  /** 0 to 100. */
  readonly abuse_score: number;
  /** ISO 3166-1 alpha-2; empty when unknown. */
  readonly country_code: string;
  readonly country: string;
  /** `AS` and the number; `AS0` when unknown. */
  readonly asn: string;
}

/** Counts of this account's signups, this one included. */
export interface VelocitySignals {
  readonly ip_signups_1h: number;
  readonly ip_signups_24h: number;
  readonly email_domain_1h: number;
  readonly email_domain_24h: number;
}

export interface Signals {
  readonly email: EmailSignals;
  /** Present only when `ip_provided` is true. */
  readonly ip?: IpSignals;
  readonly velocity: VelocitySignals;
}

/** Answer of `POST /v1/assess` and `GET /v1/assess/{request_id}`. */
export interface Assessment {
  /** `req_…`: keep it to report a mistake later. */
  readonly request_id: string;
  readonly session_id?: string;
  readonly verdict: Verdict;
  /** Verdict as it would be, for a key in shadow mode. `verdict` is `allow` then, and nothing else accuses the signup. */
  readonly shadow_verdict?: Verdict;
  /** 0 to 100; higher is riskier. */
  readonly score: number;
  /** Findings that contributed, heaviest first; empty on a clean signal. */
  readonly reasons: readonly Reason[];
  readonly signals: Signals;
  readonly ip_provided: boolean;
  readonly ip_status: IpStatus;
  readonly processed_ms: number;
  /** RFC 3339, UTC. */
  readonly assessed_at: string;
  /** Token for a challenge, only with that verdict, where the service is set to give tokens. Keep it on your server. */
  readonly challenge?: ChallengeOffer;
}

export interface ChallengeOffer {
  /** Token for `redeemChallenge`. */
  readonly token: string;
  /** RFC 3339, UTC. */
  readonly expires_at: string;
}

export type ChallengeResult = 'passed' | 'failed';
export type ChallengeMethod =
  | 'application'
  | 'altcha'
  | 'turnstile'
  | 'hcaptcha'
  | 'recaptcha'
  | 'link'
  | 'code';

/** Outcome of a signup: later news of the person. */
export type SignupOutcome = 'verified' | 'never_verified' | 'bounced' | 'complained' | 'paid' | 'banned';

/** One outcome, by `request_id` or by `email`. */
export interface OutcomeItem {
  readonly request_id?: string | undefined;
  /** The address that signed up: its ten newest signups of the last 90 days get the outcome. */
  readonly email?: string | undefined;
  readonly outcome: SignupOutcome;
}

/** Body of `POST /v1/outcomes`: one outcome, or up to 100 in `outcomes`. */
export interface OutcomeRequest {
  readonly request_id?: string | undefined;
  readonly email?: string | undefined;
  readonly outcome?: SignupOutcome | undefined;
  readonly outcomes?: readonly OutcomeItem[] | undefined;
}

export interface OutcomeResponse {
  readonly accepted: boolean;
  /** Signups that the outcomes were noted for. */
  readonly signups: number;
  /** Places, from 0, of outcomes that belong to no stored signup. */
  readonly unmatched: readonly number[];
  readonly message: string;
}

/** Body of `POST /v1/appeals`. */
export interface AppealRequest {
  /** Id of an assessment that was answered with `challenge` or `block`. */
  readonly request_id: string;
  /** Days that the link is valid, 1 to 30; 7 by default. */
  readonly valid_days?: number | undefined;
}

export interface AppealResponse {
  /** Page where the person says what happened. Show it to nobody else: it has no address, and says nothing about why. */
  readonly url: string;
  /** RFC 3339, UTC. */
  readonly expires_at: string;
}

/** Body of `POST /v1/challenges`. The token alone changes nothing: it reads the result of the challenge. */
export interface ChallengeRequest {
  /** Token of the challenge, or the `request_id` of the assessment. */
  readonly token: string;
  /** Result of your own check. */
  readonly outcome?: ChallengeResult | undefined;
  /** Order to make a proof of work instead, which the visitor's browser solves. */
  readonly proof?: { return_url?: string } | undefined;
  /** Response of an ALTCHA widget instead, to that proof of work. */
  readonly altcha?: string | undefined;
  /** Response of one CAPTCHA instead, which the service verifies. */
  readonly turnstile?: string | undefined;
  readonly hcaptcha?: string | undefined;
  readonly recaptcha?: string | undefined;
  /** Order to make a link and a code instead, which you send to the address of the signup. */
  readonly confirm?: { return_url?: string } | undefined;
  /** Code instead, which the visitor entered at your page. */
  readonly code?: string | undefined;
  /** The visitor's, for the provider of the CAPTCHA. */
  readonly ip?: string | null | undefined;
}

export interface ChallengeConfirmation {
  /** Link for the mail only. */
  readonly link: string;
  /** Code for the mail only: six digits. */
  readonly code: string;
  /** Page for the visitor, which asks for the code. */
  readonly page: string;
}

export interface ChallengeProof {
  /** JSON for your page: the attribute `challenge` of an ALTCHA widget of version 3. */
  readonly challenge: string;
  /** Page of Gatehouse where the visitor solves it; only with a `return_url`. */
  readonly page?: string;
}

export interface ChallengeResponse {
  readonly request_id: string;
  /** `unknown`: the provider of the CAPTCHA gave no verdict. Nothing was stored; you decide. */
  readonly status: 'pending' | ChallengeResult | 'unknown';
  /** Absent while it is pending. */
  readonly method?: ChallengeMethod;
  /** Absent while it is pending. */
  readonly redeemed_at?: string;
  readonly expires_at: string;
  readonly confirmation?: ChallengeConfirmation;
  readonly proof?: ChallengeProof;
  /** Why a response to a CAPTCHA gave no result, for people. */
  readonly detail?: string;
}

/** Body of `POST /v1/feedback`. A second one for the same assessment replaces the first. */
export interface FeedbackRequest {
  readonly request_id: string;
  /** `false_positive`: a good customer was stopped; `false_negative`: fraud was let in. */
  readonly outcome: Outcome;
  readonly note?: string | null | undefined;
}

export interface FeedbackResponse {
  readonly accepted: boolean;
  readonly message: string;
}

/** Answer of `GET /v1/usage`. */
export interface Usage {
  readonly plan: PlanName;
  readonly period_start: string;
  readonly period_end: string;
  readonly assessments_used: number;
  readonly assessments_limit: number;
  /** USD. */
  readonly overage_rate_per_1k: number;
  readonly reset_at: string;
}

/** The codes that the service answers errors with. */
export type ApiErrorCode =
  | 'missing_field'
  | 'invalid_email'
  | 'invalid_ip'
  | 'challenge_invalid'
  | 'challenge_expired'
  | 'challenge_redeemed'
  | 'challenge_code_wrong'
  | 'challenge_mails_used'
  | 'challenge_mailbox_full'
  | 'challenge_proof_wrong'
  | 'bad_request'
  | 'unauthorized'
  | 'token_revoked'
  | 'key_expired'
  | 'ip_not_allowed'
  | 'not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'payload_too_large'
  | 'rate_limit'
  | 'quota_exceeded'
  | 'headers_too_large'
  | 'internal_error'
  | 'storage_full'
  | 'unavailable';
