/** The exports of the package. */
export type { Answer, AnswerMeta, QuotaState, RateLimitState } from './answer-meta.ts';
export type { BreakerOptions } from './circuit-breaker.ts';
export { type ClientIpOptions, clientIp, type RequestLike, type TrustedProxies } from './client-ip.ts';
export {
  AbortedError,
  ApiError,
  AuthenticationError,
  CircuitOpenError,
  type ClientErrorCode,
  ConnectionError,
  type ErrorCode,
  GatehouseError,
  InvalidRequestError,
  OptionsError,
  QuotaExceededError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnexpectedResponseError,
} from './errors.ts';
export type { FetchInit, FetchLike, FetchResponse } from './exchange.ts';
export { type CallOptions, Gatehouse, type WriteOptions } from './gatehouse.ts';
export type * from './messages.ts';
export type { GatehouseOptions } from './options.ts';
export type { BegunProof, PassedProof, ProofCookie, ProofInput } from './proof.ts';
export type { FormFile, ProtectionOptions, SignupDecision, SignupInput } from './protect-signup.ts';
export type { ProxyPreset } from './proxy-presets.ts';
