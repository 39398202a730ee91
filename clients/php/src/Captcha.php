<?php

declare(strict_types=1);

namespace Gatehouse;

/** The CAPTCHAs that a form can show: the class of the element, and the script that fills it. */
final class Captcha
{
    private const WIDGETS = [
        'turnstile' => ['cf-turnstile', 'https://challenges.cloudflare.com/turnstile/v0/api.js'],
        'hcaptcha' => ['h-captcha', 'https://js.hcaptcha.com/1/api.js'],
        'recaptcha' => ['g-recaptcha', 'https://www.google.com/recaptcha/api.js'],
    ];

    /**
     * @param mixed $captcha `['turnstile' => site key]`, also `hcaptcha` or `recaptcha`
     *
     * @return ?array{string, string, string} class, site key and script; null: none is set, or it is not known
     */
    public static function widget(mixed $captcha): ?array
    {
        $name = is_array($captcha) ? array_key_first($captcha) : null;
        $siteKey = $captcha[$name] ?? null;
        if (!isset(self::WIDGETS[$name]) || !is_string($siteKey) || $siteKey === '') {
            return null;
        }
        [$class, $script] = self::WIDGETS[$name];

        return [$class, $siteKey, $script];
    }
}
