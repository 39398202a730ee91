<?php

declare(strict_types=1);

namespace Gatehouse\Model;

use Gatehouse\AnswerMeta;

/** Part of an answer of the API, written by scripts/client-models.mjs from openapi.json: do not edit. */
final class FeedbackResponse
{
    /** @param array<mixed> $raw the whole answer, with members that this client does not know */
    public function __construct(
        /** Always true: the feedback is stored. */
        public readonly bool $accepted,
        /** A sentence for people. */
        public readonly string $message,
        public readonly ?AnswerMeta $meta,
        public readonly array $raw,
    ) {
    }

    /** @param array<mixed> $data */
    public static function fromArray(array $data, ?AnswerMeta $meta = null): self
    {
        return new self(
            Read::flag($data, 'accepted'),
            Read::text($data, 'message'),
            $meta,
            $data,
        );
    }
}
