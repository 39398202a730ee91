<?php

declare(strict_types=1);

namespace Gatehouse\Model;

/** Part of an answer of the API, written by scripts/client-models.mjs from openapi.json: do not edit. */
final class EmailSignals
{
    /** @param array<mixed> $raw the whole answer, with members that this client does not know */
    public function __construct(
        /** Domain is on the disposable-domain blocklist, or its mail goes to a mail host of such domains. */
        public readonly bool $disposable,
        /** Domain is a known relay or forwarding provider. */
        public readonly bool $relayDomain,
        /** Domain has spam or abuse reputation. */
        public readonly bool $spamDomain,
        /** Domain part of the email, lower-cased, in ASCII form. */
        public readonly string $domain,
        /** Whole days (UTC) since the registrable domain was registered; -1 when unknown. */
        public readonly int $domainAgeDays,
        /** The domain has a usable MX, or DNS could not be asked (see mx_status). */
        public readonly bool $mxValid,
        /** Result of the DNS lookup for the domain; `unknown` when DNS could not be asked. One of valid, none, null_mx, no_domain, unknown. */
        public readonly string $mxStatus,
        /** Domain is a free consumer provider. */
        public readonly bool $publicDomain,
        /** Local part is a known role account. */
        public readonly bool $roleAccount,
        /** The address that was probably meant; present only where the domain is a likely typing mistake of a large provider. */
        public readonly ?string $didYouMean,
        /** True, or absent: a mail to the address would reach somebody who probably did not sign up, such as the owner of a phone or the victim of a list bombing. Send none before a proof that needs no mail, such as a CAPTCHA. Absent in shadow mode. */
        public readonly ?bool $mailUnwanted,
        public readonly array $raw,
    ) {
    }

    /** @param array<mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            Read::flag($data, 'disposable'),
            Read::flag($data, 'relay_domain'),
            Read::flag($data, 'spam_domain'),
            Read::text($data, 'domain'),
            Read::integer($data, 'domain_age_days'),
            Read::flag($data, 'mx_valid'),
            Read::text($data, 'mx_status'),
            Read::flag($data, 'public_domain'),
            Read::flag($data, 'role_account'),
            Read::textOrNull($data, 'did_you_mean'),
            Read::flagOrNull($data, 'mail_unwanted'),
            $data,
        );
    }
}
