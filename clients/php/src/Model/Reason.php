<?php

declare(strict_types=1);

namespace Gatehouse\Model;

/** Part of an answer of the API, written by scripts/client-models.mjs from openapi.json: do not edit. */
final class Reason
{
    /** @param array<mixed> $raw the whole answer, with members that this client does not know */
    public function __construct(
        /** The finding that contributed to the score. One of email_disposable, email_relay, email_reputation, email_deliverability, email_domain_new, email_role_account, email_alias, email_consumer_provider, ip_anonymizer, ip_reputation, ip_hosting, velocity_ip, velocity_domain. */
        public readonly string $code,
        /** The group of signals it belongs to. One of email, ip, velocity. */
        public readonly string $signal,
        public readonly array $raw,
    ) {
    }

    /** @param array<mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            Read::text($data, 'code'),
            Read::text($data, 'signal'),
            $data,
        );
    }
}
