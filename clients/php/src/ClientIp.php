<?php

declare(strict_types=1);

namespace Gatehouse;

use Gatehouse\Exception\OptionsException;

/** Finds the address that a request came from, only in text that trusted proxies wrote, never in text that the client could have written. */
final class ClientIp
{
    private const NAMED_RANGES = [
        'loopback' => ['127.0.0.0/8', '::1'],
        'private' => [
            '127.0.0.0/8',
            '10.0.0.0/8',
            '172.16.0.0/12',
            '192.168.0.0/16',
            '169.254.0.0/16',
            '100.64.0.0/10',
            '::1',
            'fc00::/7',
            'fe80::/10',
        ],
    ];
    /** Name of a proxy → the header that it overwrites. */
    private const HEADER_OF = [
        'cloudflare' => 'cf-connecting-ip',
        'vercel' => 'x-vercel-forwarded-for',
        'fly' => 'fly-client-ip',
        'aws-cloudfront' => 'cloudfront-viewer-address',
        'nginx' => 'x-real-ip',
    ];
    private const APPENDED_HEADERS = ['x-forwarded-for', 'forwarded'];

    /**
     * @param mixed $request `$_SERVER`, a request of PSR-7, Symfony or Laravel, or headers by name
     * @param string|int|array<mixed>|null $trustedProxies a name, a number, a list of addresses and CIDR blocks,
     *   `['header' => …]` for a header that your proxy overwrites, `['header' => …, 'proxies' => …]` for one that it appends to
     * @param ?string $peer the connection's address, where the request does not know it
     *
     * @return ?string canonical form; null where no trusted party names it
     *
     * @throws OptionsException
     */
    public static function find(mixed $request, string|int|array|null $trustedProxies = null, ?string $peer = null): ?string
    {
        return (new self(new RequestView($request), $peer))->address($trustedProxies)?->__toString();
    }

    /**
     * @param string|int|array<mixed>|null $trustedProxies
     *
     * @throws OptionsException
     */
    public static function check(string|int|array|null $trustedProxies): void
    {
        (new self(new RequestView([]), null))->address($trustedProxies, false);
    }

    private readonly ?IpAddress $peer;

    private function __construct(private readonly RequestView $view, ?string $peer)
    {
        $this->peer = IpAddress::parse($peer ?? $view->peer);
    }

    /** @param string|int|array<mixed>|null $trusted */
    private function address(string|int|array|null $trusted, bool $mayWarn = true): ?IpAddress
    {
        if ($trusted === null) {
            return $this->peer?->withoutNat64();
        }
        $found = $this->trusted($trusted);
        $address = $found?->withoutNat64();
        if ($address === null && $mayWarn) {
            Warnings::once("trustedProxies is set, but no trusted proxy named the visitor's address: signups are assessed without it");
        }
        if ($address !== null && $address->isPseudoIpv4() && $found !== $this->peer) {
            $twin = self::agreed($this->view->header('cf-connecting-ipv6'));
            if ($twin?->isIpv6()) {
                return $twin;
            }
            Warnings::once('Cloudflare sent a made-up IPv4 address without CF-Connecting-IPv6: turn "Pseudo IPv4" off at Cloudflare');
        }

        return $address;
    }

    /** @param string|int|array<mixed> $trusted */
    private function trusted(string|int|array $trusted): ?IpAddress
    {
        if (is_array($trusted) && isset($trusted['header'])) {
            $name = self::readName($trusted['header']);
            if (isset($trusted['proxies'])) {
                if (!in_array($name, self::APPENDED_HEADERS, true)) {
                    throw self::unknown('proxies append to X-Forwarded-For or Forwarded.');
                }

                return $this->past($trusted['proxies'], $this->split($name));
            }

            // Several proxies append to this one: the nearest wrote the last element.
            return $name === 'forwarded' ? $this->past(1, $this->split($name)) : self::agreed($this->view->header($name));
        }
        if (!is_string($trusted)) {
            return $this->past($trusted, $this->appended());
        }
        if ($trusted === 'aws-alb') {
            return $this->past(1, $this->appended());
        }
        if (!isset(self::HEADER_OF[$trusted])) {
            throw self::unknown(var_export($trusted, true) . ' is not known.');
        }
        $value = $this->view->header(self::HEADER_OF[$trusted]);

        // CloudFront writes a port, also after an IPv6 address without brackets.
        return self::agreed($trusted === 'aws-cloudfront' ? preg_replace('/:[0-9]{1,5}(?=\s*(?:,|$))/', '', $value ?? '') : $value);
    }

    /**
     * The address before the trusted proxies.
     *
     * @param list<string> $forwarded what they appended, the nearest one last
     */
    private function past(mixed $trusted, array $forwarded): ?IpAddress
    {
        if (is_int($trusted) && $trusted >= 0) {
            return $trusted === 0 ? $this->peer : IpAddress::parse($forwarded[count($forwarded) - $trusted] ?? null);
        }
        if (!is_array($trusted)) {
            throw self::unknown('a number of proxies, or a list of them.');
        }
        $ranges = self::ranges($trusted);
        $nearest = $this->peer;
        foreach (array_reverse($forwarded) as $text) {
            if ($nearest === null || !self::isIn($nearest, $ranges)) {
                break;
            }
            $nearest = IpAddress::parse($text);
        }

        return $nearest;
    }

    /** @param list<IpRange> $ranges */
    private static function isIn(IpAddress $address, array $ranges): bool
    {
        foreach ($ranges as $range) {
            if ($range->contains($address)) {
                return true;
            }
        }

        return false;
    }

    /** The address in a header that a proxy overwrites; null where it came several times and differs. */
    private static function agreed(?string $value): ?IpAddress
    {
        $texts = array_filter(array_map(Forwarded::unquote(...), explode(',', $value ?? '')), static fn (string $text): bool => $text !== '');
        $addresses = array_map(IpAddress::parse(...), array_values($texts));
        foreach ($addresses as $address) {
            if ((string) $address !== (string) $addresses[0]) {
                return null;
            }
        }

        return $addresses[0] ?? null;
    }

    /**
     * `X-Forwarded-For`, which nearly all proxies write; `Forwarded` only where it is absent or empty.
     *
     * @return list<string>
     */
    private function appended(): array
    {
        foreach (self::APPENDED_HEADERS as $name) {
            $hops = $this->split($name);
            if ($hops !== []) {
                return $hops;
            }
        }

        return [];
    }

    /** @return list<string> */
    private function split(string $name): array
    {
        $value = $this->view->header($name) ?? '';

        return $name === 'forwarded' ? Forwarded::splitForwarded($value) : Forwarded::splitForwardedFor($value);
    }

    private static function readName(mixed $header): string
    {
        if (is_string($header) && preg_match("/^[!#$%&'*+.^_`|~\w-]+$/D", $header) === 1) {
            return strtolower($header);
        }
        throw self::unknown('the name of a header.');
    }

    /**
     * @param array<mixed> $names
     *
     * @return list<IpRange>
     */
    private static function ranges(array $names): array
    {
        $ranges = [];
        foreach ($names as $name) {
            foreach (is_string($name) ? self::NAMED_RANGES[$name] ?? [$name] : [''] as $text) {
                $ranges[] = IpRange::parse($text)
                    ?? throw self::unknown(var_export($text, true) . ' is not an address, CIDR block or name.');
            }
        }

        return $ranges;
    }

    private static function unknown(string $what): OptionsException
    {
        return new OptionsException('invalid_options', "trustedProxies: $what");
    }
}
