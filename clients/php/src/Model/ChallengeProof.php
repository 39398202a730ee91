<?php

declare(strict_types=1);

namespace Gatehouse\Model;

/** Part of an answer of the API, written by scripts/client-models.mjs from openapi.json: do not edit. With one of the two, the visitor’s browser solves it. */
final class ChallengeProof
{
    /** @param array<mixed> $raw the whole answer, with members that this client does not know */
    public function __construct(
        /** For your page: JSON, the value of the attribute `challenge` of an ALTCHA widget of version 3. */
        public readonly string $challenge,
        /** For the visitor: a page that solves it. Only where the request has a `return_url`. */
        public readonly ?string $page,
        public readonly array $raw,
    ) {
    }

    /** @param array<mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            Read::text($data, 'challenge'),
            Read::textOrNull($data, 'page'),
            $data,
        );
    }
}
