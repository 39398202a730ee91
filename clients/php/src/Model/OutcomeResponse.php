<?php

declare(strict_types=1);

namespace Gatehouse\Model;

use Gatehouse\AnswerMeta;

/** Part of an answer of the API, written by scripts/client-models.mjs from openapi.json: do not edit. */
final class OutcomeResponse
{
    /** @param array<mixed> $raw the whole answer, with members that this client does not know */
    public function __construct(
        /** Always true: what was found is stored. */
        public readonly bool $accepted,
        /** Signups that the outcomes were noted for, those that had the outcome before included. */
        public readonly int $signups,
        /** Places, from 0, of outcomes that belong to no stored signup: nothing is noted for them. For a single outcome by address, 0. @var list<int> */
        public readonly array $unmatched,
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
            Read::integer($data, 'signups'),
            array_values(array_filter(Read::members($data, 'unmatched'), is_int(...))),
            Read::text($data, 'message'),
            $meta,
            $data,
        );
    }
}
