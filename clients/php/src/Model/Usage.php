<?php

declare(strict_types=1);

namespace Gatehouse\Model;

use Gatehouse\AnswerMeta;

/** Part of an answer of the API, written by scripts/client-models.mjs from openapi.json: do not edit. */
final class Usage
{
    /** @param array<mixed> $raw the whole answer, with members that this client does not know */
    public function __construct(
        /** Plan of the account. One of free, starter, pro, business. */
        public readonly string $plan,
        /** Start of the current UTC month. */
        public readonly string $periodStart,
        /** Last second of the current UTC month. */
        public readonly string $periodEnd,
        /** Live assessments deducted this period. */
        public readonly int $assessmentsUsed,
        /** Monthly cap of the account. */
        public readonly int $assessmentsLimit,
        /** USD per 1,000 assessments above the cap. */
        public readonly float $overageRatePer1k,
        /** Start of the next UTC month. */
        public readonly string $resetAt,
        public readonly ?AnswerMeta $meta,
        public readonly array $raw,
    ) {
    }

    /** @param array<mixed> $data */
    public static function fromArray(array $data, ?AnswerMeta $meta = null): self
    {
        return new self(
            Read::text($data, 'plan'),
            Read::text($data, 'period_start'),
            Read::text($data, 'period_end'),
            Read::integer($data, 'assessments_used'),
            Read::integer($data, 'assessments_limit'),
            Read::number($data, 'overage_rate_per_1k'),
            Read::text($data, 'reset_at'),
            $meta,
            $data,
        );
    }
}
