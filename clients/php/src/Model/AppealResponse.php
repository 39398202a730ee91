<?php

declare(strict_types=1);

namespace Gatehouse\Model;

use Gatehouse\AnswerMeta;

/** Part of an answer of the API, written by scripts/client-models.mjs from openapi.json: do not edit. */
final class AppealResponse
{
    /** @param array<mixed> $raw the whole answer, with members that this client does not know */
    public function __construct(
        /** Show it to the person who was stopped. It has no address in it and says nothing about why. */
        public readonly string $url,
        /** Until when the link is valid, UTC. */
        public readonly string $expiresAt,
        public readonly ?AnswerMeta $meta,
        public readonly array $raw,
    ) {
    }

    /** @param array<mixed> $data */
    public static function fromArray(array $data, ?AnswerMeta $meta = null): self
    {
        return new self(
            Read::text($data, 'url'),
            Read::text($data, 'expires_at'),
            $meta,
            $data,
        );
    }
}
