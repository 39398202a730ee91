<?php

namespace App\Http\Controllers;

use Gatehouse\Laravel\AllowedSignup;
use Gatehouse\Laravel\SignupProtection;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\DB;
use Illuminate\Support\Facades\Hash;

class RegisterController
{
    public function store(Request $request, SignupProtection $gatehouse)
    {
        // Your own validation comes first: a form that it refuses is not assessed.
        $signup = $request->validate(['email' => 'required|email|unique:users', 'password' => 'required|min:12']);
        $gatehouse->protect($request, $signup['email']);

        return $this->create($signup);
    }

    public function storeByRule(Request $request)
    {
        $signup = $request->validate([
            'email' => ['required', 'email', 'unique:users', new AllowedSignup],
            'password' => 'required|min:12',
        ]);

        return $this->create($signup);
    }

    private function create(array $signup)
    {
        DB::table('users')->insert(['email' => $signup['email'], 'password' => Hash::make($signup['password'])]);

        return redirect('/welcome');
    }
}
