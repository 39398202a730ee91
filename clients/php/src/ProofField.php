<?php

declare(strict_types=1);

namespace Gatehouse;

/** Writes the part of a form in which the visitor's browser does a proof of work. */
final class ProofField
{
    /** Field of a form with the solved proof of work. */
    public const NAME = 'gatehouse_proof';
    /** Texts that the visitor reads, by name. `:reference`: for your support. */
    public const TEXTS = [
        'working' => 'Your browser is calculating. This can take some seconds.',
        'ready' => 'Your browser is ready. Please send the form again.',
        'insecure' => 'This check needs a secure connection: the address of this page must begin with https.',
        'no_script' => 'This form needs JavaScript for a short check. Turn it on and load the page again, or write to us. Reference: :reference',
    ];

    /**
     * HTML that goes inside the form: a hidden field, and a script that fills it.
     *
     * @param string $proof of the decision
     * @param string $reference of the decision
     * @param ?string $nonce of your content policy, where it allows inline scripts by nonces
     * @param array<string, string> $texts yours, with all names of TEXTS
     */
    public static function html(string $proof, string $reference, ?string $nonce = null, array $texts = self::TEXTS): string
    {
        $said = array_map(static fn (string $text): string => self::escape(str_replace(':reference', $reference, $text)), $texts);
        $allowed = $nonce === null || $nonce === '' ? '' : ' nonce="' . self::escape($nonce) . '"';

        return '<div data-gatehouse-proof="' . self::escape($proof) . "\" data-working=\"{$said['working']}\" data-ready=\"{$said['ready']}\""
            . " data-insecure=\"{$said['insecure']}\"><p role=\"status\"></p><noscript><p>{$said['no_script']}</p></noscript>"
            . '<input type="hidden" name="' . self::NAME . "\" value=\"\"></div><script$allowed>" . ProofScript::TEXT . '</script>';
    }

    private static function escape(string $text): string
    {
        return htmlspecialchars($text, ENT_QUOTES | ENT_SUBSTITUTE | ENT_HTML5);
    }
}
