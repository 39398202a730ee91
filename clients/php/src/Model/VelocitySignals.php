<?php

declare(strict_types=1);

namespace Gatehouse\Model;

/** Part of an answer of the API, written by scripts/client-models.mjs from openapi.json: do not edit. */
final class VelocitySignals
{
    /** @param array<mixed> $raw the whole answer, with members that this client does not know */
    public function __construct(
        /** Attempts from this IP (IPv6: its /64) in the last 60 minutes, this one included. */
        public readonly int $ipSignups1h,
        /** Attempts from this IP (IPv6: its /64) in the last 24 hours, this one included. */
        public readonly int $ipSignups24h,
        /** Distinct addresses of this domain in the last 60 minutes, this one included. */
        public readonly int $emailDomain1h,
        /** Distinct addresses of this domain in the last 24 hours, this one included. */
        public readonly int $emailDomain24h,
        public readonly array $raw,
    ) {
    }

    /** @param array<mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            Read::integer($data, 'ip_signups_1h'),
            Read::integer($data, 'ip_signups_24h'),
            Read::integer($data, 'email_domain_1h'),
            Read::integer($data, 'email_domain_24h'),
            $data,
        );
    }
}
