<?php

declare(strict_types=1);

namespace Gatehouse\Laravel;

use Illuminate\Http\Request;

/** The middleware `gatehouse`, for a form that is validated before it: it runs before the controller. `gatehouse:address` names another field. */
final class ProtectSignup
{
    public function __construct(private readonly SignupProtection $protection)
    {
    }

    public function handle(Request $request, \Closure $next, string $field = 'email'): mixed
    {
        // Your validation says that it is missing.
        if ($request->filled($field)) {
            $this->protection->protect($request, $request->input($field), $field);
        }

        return $next($request);
    }
}
