<?php

declare(strict_types=1);

namespace Gatehouse\Model;

/** Part of an answer of the API, written by scripts/client-models.mjs from openapi.json: do not edit. Always the same for one challenge. */
final class ChallengeConfirmation
{
    /** @param array<mixed> $raw the whole answer, with members that this client does not know */
    public function __construct(
        /** Send it by mail only: opening it and pressing the button confirms the address. */
        public readonly string $link,
        /** For the mail only: six digits. */
        public readonly string $code,
        /** For the visitor: a page that asks for the code. */
        public readonly string $page,
        public readonly array $raw,
    ) {
    }

    /** @param array<mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            Read::text($data, 'link'),
            Read::text($data, 'code'),
            Read::text($data, 'page'),
            $data,
        );
    }
}
