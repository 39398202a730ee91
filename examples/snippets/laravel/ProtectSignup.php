<?php

/** Gatehouse decides about a signup once its form is valid: `check` in the controller. Or a middleware, for a form that is validated before it. */

namespace App\Http\Middleware;

use Closure;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Http;
use Illuminate\Support\Facades\Log;
use Illuminate\Validation\ValidationException;
use Throwable;

class ProtectSignup
{
    private const TIMEOUT_SECONDS = 3;

    public function handle(Request $request, Closure $next)
    {
        $this->check($request);

        return $next($request);
    }

    /** @throws ValidationException for a blocked signup, and for an address that Gatehouse cannot read */
    public function check(Request $request): void
    {
        $email = $request->input('email');
        // Your validation says that it is missing.
        if (! is_string($email) || $email === '') {
            return;
        }
        $answer = $this->assess($request, $email);
        if ($answer['verdict'] === 'invalid') {
            throw ValidationException::withMessages(['email' => 'Please check your email address.']);
        }
        if ($answer['verdict'] === 'block') {
            throw ValidationException::withMessages([
                'email' => "We cannot create this account. Reference: {$answer['request_id']}",
            ]);
        }
        // `allow` or `challenge`: your controller reads it with $request->attributes->get('gatehouse').
        $request->attributes->set('gatehouse', $answer['verdict']);
    }

    private function assess(Request $request, string $email): array
    {
        $signup = array_filter(['email' => $email, 'ip' => $request->ip()]);
        // The token of the visitor's session: a form that is sent twice is assessed once.
        $key = hash('sha256', $request->session()->token().json_encode($signup));
        try {
            $response = Http::withToken(config('services.gatehouse.key'))
                ->withHeaders(['Idempotency-Key' => $key])
                ->timeout(self::TIMEOUT_SECONDS)
                ->post(config('services.gatehouse.url').'/v1/assess', $signup);
            if ($response->successful() && is_string($response['verdict'])) {
                // A confirmation would be a mail to a stranger.
                $isUnwanted = $response->json('signals.email.mail_unwanted') === true;
                $verdict = $isUnwanted ? 'block' : $response['verdict'];

                return ['verdict' => $verdict, 'request_id' => $response['request_id']];
            }
            // Otherwise somebody could choose an address that Gatehouse cannot read, to be let in.
            if ($response->json('error.param') === 'email') {
                return ['verdict' => 'invalid', 'request_id' => 'none'];
            }
            $reason = "status {$response->status()}";
        } catch (Throwable $error) {
            $reason = $error->getMessage();
        }
        Log::warning("gatehouse: no verdict for a signup: {$reason}");

        return ['verdict' => 'allow', 'request_id' => 'none'];
    }
}
