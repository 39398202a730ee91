<?php

namespace App\Http\Controllers;

use App\Http\Middleware\ProtectSignup;
use Illuminate\Contracts\Validation\Factory;
use Illuminate\Http\Request;

class RegisterController
{
    public function store(Request $request, Factory $validator, ProtectSignup $protect)
    {
        // Your own validation comes first: a form that it refuses is not assessed.
        $validator->make($request->all(), ['email' => 'required|string', 'password' => 'required|min:12'])->validate();
        $protect->check($request);

        // Create the account here. Before a challenged person may use it, ask for a confirmed address.
        return ['confirm' => $request->attributes->get('gatehouse') === 'challenge'];
    }
}
