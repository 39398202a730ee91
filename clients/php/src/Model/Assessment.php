<?php

declare(strict_types=1);

namespace Gatehouse\Model;

use Gatehouse\AnswerMeta;

/** Part of an answer of the API, written by scripts/client-models.mjs from openapi.json: do not edit. */
final class Assessment
{
    /** @param array<mixed> $raw the whole answer, with members that this client does not know */
    public function __construct(
        /** Id of the stored assessment. */
        public readonly string $requestId,
        /** The score measured against the thresholds of the key or its account. One of allow, challenge, block. */
        public readonly string $verdict,
        /** Risk, 0 to 100; higher is riskier. */
        public readonly int $score,
        /** Findings that contributed, heaviest first; empty on a clean signal. @var list<Reason> */
        public readonly array $reasons,
        public readonly Signals $signals,
        /** True when a usable public IP was used for scoring. */
        public readonly bool $ipProvided,
        /** How the supplied IP was treated. One of ok, missing, ignored_loopback, ignored_private, ignored_localhost. */
        public readonly string $ipStatus,
        /** Server-side processing time in milliseconds. */
        public readonly int $processedMs,
        /** When the assessment was produced, UTC. */
        public readonly string $assessedAt,
        /** Echo of the request; absent when the request had none. */
        public readonly ?string $sessionId,
        /** Present only where the key is in shadow mode, and does not enforce for this person: what the verdict would be. `verdict` is `allow` then, `score` 0, `reasons` empty, and `signals` are those of a signup about which nothing is known. One of allow, challenge, block. */
        public readonly ?string $shadowVerdict,
        public readonly ?ChallengeOffer $challenge,
        public readonly ?AnswerMeta $meta,
        public readonly array $raw,
    ) {
    }

    /** @param array<mixed> $data */
    public static function fromArray(array $data, ?AnswerMeta $meta = null): self
    {
        return new self(
            Read::text($data, 'request_id'),
            Read::text($data, 'verdict'),
            Read::integer($data, 'score'),
            array_map(Reason::fromArray(...), Read::list($data, 'reasons')),
            Signals::fromArray(Read::members($data, 'signals')),
            Read::flag($data, 'ip_provided'),
            Read::text($data, 'ip_status'),
            Read::integer($data, 'processed_ms'),
            Read::text($data, 'assessed_at'),
            Read::textOrNull($data, 'session_id'),
            Read::textOrNull($data, 'shadow_verdict'),
            isset($data['challenge']) ? ChallengeOffer::fromArray(Read::members($data, 'challenge')) : null,
            $meta,
            $data,
        );
    }
}
