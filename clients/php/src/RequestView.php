<?php

declare(strict_types=1);

namespace Gatehouse;

/** Reads headers and the connection's peer from any kind of request: `$_SERVER`, PSR-7, Symfony and Laravel, or headers by name. */
final class RequestView
{
    /** @var array<string, list<string>> by names in lower case */
    private array $headers = [];

    public readonly ?string $peer;

    public function __construct(mixed $request)
    {
        $peer = null;
        if (is_object($request) && method_exists($request, 'getServerParams') && method_exists($request, 'getHeaders')) {
            $peer = $request->getServerParams()['REMOTE_ADDR'] ?? null;
            $this->add($request->getHeaders());
        } elseif (is_object($request) && isset($request->headers, $request->server) && method_exists($request->headers, 'all')) {
            $peer = $request->server->get('REMOTE_ADDR');
            $this->add($request->headers->all());
        } elseif (is_array($request) && (isset($request['REMOTE_ADDR']) || isset($request['REQUEST_METHOD']))) {
            $peer = $request['REMOTE_ADDR'] ?? null;
            foreach ($request as $name => $value) {
                if (is_string($name) && str_starts_with($name, 'HTTP_')) {
                    $this->add([str_replace('_', '-', substr($name, 5)) => $value]);
                }
            }
        } elseif (is_array($request)) {
            $this->add($request);
        }
        $this->peer = is_string($peer) ? $peer : null;
    }

    /** Value of a header; several of one name are joined by commas. The name is in lower case. */
    public function header(string $name): ?string
    {
        return isset($this->headers[$name]) ? implode(', ', $this->headers[$name]) : null;
    }

    /** @param array<mixed> $headers */
    private function add(array $headers): void
    {
        foreach ($headers as $name => $values) {
            foreach (is_array($values) ? $values : [$values] as $value) {
                if (is_string($value)) {
                    $this->headers[strtolower((string) $name)][] = $value;
                }
            }
        }
    }
}
